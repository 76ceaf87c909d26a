/** The findings of several processes as those of one. All measure time from the same start. */
import { Histogram, type HistogramCounts } from '../platform/collections/histogram.ts';
import { type FindingsRecord, newTimes, type TimeKind, timeKinds } from './findings.ts';

/** Plain data for another process. */
export type SentFindings = Omit<FindingsRecord, 'times'> & { times: Record<TimeKind, HistogramCounts> };

export function toSent(findings: FindingsRecord): SentFindings {
  const { stories, samples, raises, problems, requests, retries, errors, lostPlaces, overshoot, finished } = findings;
  const { request, join, poll, news } = findings.times;
  return {
    ...{ stories, samples, raises, problems, requests, retries, errors, lostPlaces, overshoot, finished },
    times: { request: request.toCounts(), join: join.toCounts(), poll: poll.toCounts(), news: news.toCounts() },
  };
}

export function mergeFindings(all: readonly SentFindings[]): FindingsRecord {
  const times = newTimes();
  const problems = new Map<string, number>();
  for (const { times: counts, problems: some } of all) {
    for (const kind of timeKinds) times[kind].add(new Histogram(counts[kind]));
    for (const [problem, count] of some) problems.set(problem, (problems.get(problem) ?? 0) + count);
  }
  const sum = (count: (one: SentFindings) => number) => all.reduce((total, one) => total + count(one), 0);
  return {
    stories: all.flatMap(({ stories }) => stories),
    samples: all.flatMap(({ samples }) => samples).sort((a, b) => a.atMs - b.atMs),
    raises: all.flatMap(({ raises }) => raises).sort((a, b) => a.atMs - b.atMs),
    times,
    problems,
    requests: sum(({ requests }) => requests),
    retries: sum(({ retries }) => retries),
    errors: sum(({ errors }) => errors),
    lostPlaces: sum(({ lostPlaces }) => lostPlaces),
    overshoot: Math.max(...all.map(({ overshoot }) => overshoot)),
    finished: sum(({ finished }) => finished),
  };
}
