/** Tier 1 (assign, check, status, page) as an AWS Lambda function behind API Gateway: an HTTP API or a REST API. */
import { buildTier1App } from '../src/compose/tier1-app.ts';
import { type AnswerTo, answerEvent, type HttpEvent } from './http-event.ts';
import { log, openTier1, readConfig } from './tier1-only.ts';

const config = readConfig();
const app = buildTier1App(config, await openTier1(config), log);

export const handler = <Event extends HttpEvent>(event: Event): Promise<AnswerTo<Event>> => answerEvent(app, event);
