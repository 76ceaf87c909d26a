/** Problems of form fields as sentences, in each language. */
import Fastify from 'fastify';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { problemRules } from '../../src/http/field-problem.ts';
import { toFieldProblems } from '../../src/http/schema-problems.ts';
import { RoomSettings } from '../../src/line/model/room-settings.ts';
import { type Problem, problemText } from '../../src/pages/texts/problem-text.ts';
import * as en from '../../src/pages/texts/problems-en.ts';
import * as ko from '../../src/pages/texts/problems-ko.ts';
import { EventBody } from '../../src/shop/http/event-answer.ts';
import { LayoutBody } from '../../src/shop/rules/layout.ts';

const VALIDATOR = 'a must NOT have fewer than 1 characters';
const problem = (rule: string | undefined, limit?: Problem['limit']): Problem => ({
  field: 'a',
  message: VALIDATOR,
  ...(rule === undefined ? {} : { rule }),
  ...(limit === undefined ? {} : { limit }),
});

describe('problemText', () => {
  it.each([
    ['minLength', 1, 'This field is required.', '필수 입력 항목입니다.'],
    ['minLength', 3, 'Enter at least 3 characters.', '3자 이상 입력해 주세요.'],
    ['minimum', 0, 'Enter 0 or more.', '0 이상이어야 합니다.'],
    ['maximum', 100_000_000, 'Enter 100,000,000 or less.', '100,000,000 이하여야 합니다.'],
    ['type', 'integer', 'Enter a whole number.', '정수를 입력해 주세요.'],
    ['format', 'date-time', 'Enter a date and a time.', '날짜와 시각을 입력해 주세요.'],
    [
      'pattern',
      '^[A-Z]{3}$',
      'Enter three capital letters, such as KRW.',
      '영문 대문자 세 글자를 입력해 주세요. 예: KRW',
    ],
    ['enum', ['fifo', 'draw'], 'Choose one of: fifo, draw.', '다음 중에서 선택해 주세요: fifo, draw'],
    ['after', 'onSaleAt', 'Must be after “On sale from”.', '‘예매 시작’보다 늦어야 합니다.'],
    ['needs', 'admitPerSecond', 'Set “Admitted per second” as well.', '‘초당 입장’도 함께 설정해 주세요.'],
    ['after', 'somethingElse', 'Check this value.', '입력한 값을 확인해 주세요.'],
    ['later', 3, 'Check this value.', '입력한 값을 확인해 주세요.'],
  ])('says %s %s in both languages', (rule, limit, english, korean) => {
    expect(problemText(problem(rule, limit), 'en')).toBe(english);
    expect(problemText(problem(rule, limit), 'ko')).toBe(korean);
  });

  it('shows a message without a rule only to readers of its language', () => {
    expect(problemText({ field: 'a', message: 'a needs b' }, 'en')).toBe('a needs b');
    expect(problemText({ field: 'a', message: 'a needs b' }, 'ko')).toBe(ko.problems.other);
  });

  it('has a text of its own for every rule', () => {
    for (const rule of problemRules.filter((one) => one !== 'type' && one !== 'format')) {
      for (const { problems } of [en, ko]) expect(Object.keys(problems)).toContain(rule);
    }
    expect(Object.keys(ko.problemFields)).toEqual(Object.keys(en.problemFields));
  });

  it.each([
    ['events', EventBody],
    ['layouts', LayoutBody],
    ['rooms', RoomSettings],
  ])('has a text for every rule in the schema of %s', (_name, schema) => {
    const used = rulesIn(schema);
    expect(used.length).toBeGreaterThan(3);
    for (const [rule, limit] of used) {
      const text = problemText(problem(rule, limit), 'ko');
      expect([rule, limit, text]).not.toEqual([rule, limit, ko.problems.other]);
      if (rule === 'pattern') expect(text, String(limit)).not.toBe(ko.problems.pattern);
    }
  });
});

describe('problems of a schema', () => {
  const Body = Type.Object(
    {
      name: Type.String({ minLength: 1 }),
      size: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
      order: Type.Union([Type.Literal('fifo'), Type.Literal('draw'), Type.Null()]),
      at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
      list: Type.Array(Type.Object({ id: Type.String({ pattern: '^[A-Z]{3}$' }) }), { maxItems: 1 }),
    },
    { additionalProperties: false },
  );

  it('name the rule and its limit, also of unions', async () => {
    const app = Fastify({
      ajv: { customOptions: { allErrors: true, verbose: true, coerceTypes: false, removeAdditional: false } },
    });
    app.setErrorHandler((error: { validation?: never[] }, _request, reply) =>
      reply.send(toFieldProblems(error.validation ?? [], 'body')),
    );
    app.post('/', { schema: { body: Body } }, async () => []);
    const ask = async (body: unknown) => {
      const found = (await app.inject({ method: 'POST', url: '/', body: body as object })).json() as Problem[];
      return found.map(({ field, rule, limit }) => [field, rule, limit]);
    };
    const right = { name: 'a', size: 1, order: 'fifo', at: null, list: [] };
    expect(await ask({ ...right, name: '' })).toEqual([['name', 'minLength', 1]]);
    expect(await ask({ ...right, size: 0 })).toEqual([['size', 'minimum', 1]]);
    expect(await ask({ ...right, size: 1.5 })).toEqual([['size', 'type', 'integer']]);
    expect(await ask({ ...right, order: 'x' })).toEqual([['order', 'enum', ['fifo', 'draw']]]);
    expect(await ask({ ...right, at: 'soon' })).toEqual([['at', 'format', 'date-time']]);
    expect(await ask({ ...right, list: [{ id: 'won' }] })).toEqual([['list.0.id', 'pattern', '^[A-Z]{3}$']]);
    expect(await ask({ ...right, more: 1 })).toEqual([['more', 'unknown', undefined]]);
    const { name: _without, ...rest } = right;
    expect(await ask(rest)).toEqual([['name', 'required', undefined]]);
    await app.close();
  });
});

const KEYWORDS = [
  'minLength',
  'maxLength',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'maxItems',
  'minItems',
  'pattern',
  'format',
] as const;

/** All rules of a schema with their limits. */
function rulesIn(schema: unknown): [string, string | number][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const node = schema as Record<string, unknown>;
  const own = KEYWORDS.filter((name) => ['string', 'number'].includes(typeof node[name]));
  const type = ['integer', 'number', 'string', 'boolean'].includes(String(node.type)) ? [String(node.type)] : [];
  return [
    ...own.map((name): [string, string | number] => [name, node[name] as string | number]),
    ...type.map((name): [string, string] => ['type', name]),
    ...Object.values(node).flatMap(rulesIn),
  ];
}
