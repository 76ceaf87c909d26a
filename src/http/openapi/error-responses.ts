/** The error responses of the OpenAPI document: one schema for all, one example per code, one response per set of codes. */
import { STATUS_CODES } from 'node:http';
import { Type } from 'typebox';
import { type ErrorCode, errorKinds } from '../errors.ts';

const codes = Object.keys(errorKinds) as ErrorCode[];

const ErrorObject = Type.Object({
  code: Type.Unsafe<ErrorCode>({ $ref: '#/components/schemas/ErrorCode' }),
  message: Type.String({ description: 'what is wrong and what to do next' }),
  trace_id: Type.Optional(Type.String({ description: 'names the request in the logs; also in x-request-id' })),
  fields: Type.Optional(
    Type.Array(
      Type.Object({
        field: Type.String({ description: 'path in the body, such as sections.0.rows' }),
        message: Type.String(),
        rule: Type.Optional(
          Type.String({
            description: 'what the value must satisfy, such as minLength, for programs; treat an unknown one as none',
          }),
        ),
        limit: Type.Optional(
          Type.Union([Type.Number(), Type.String(), Type.Array(Type.String())], {
            description: 'what the rule compares with: a number, a name, a pattern, or the allowed values',
          }),
        ),
      }),
      { description: 'with INVALID_INPUT and others: what is wrong with which field' },
    ),
  ),
});

export const errorSchemas = {
  ErrorCode: {
    type: 'string',
    enum: codes,
    description: 'Later versions may add codes: treat an unknown one by its status.',
  },
  ErrorBody: Type.Object({
    error: ErrorObject,
    message: Type.Optional(
      Type.String({ description: 'the message of `error` again, for clients that show this field' }),
    ),
    redirectTo: Type.Optional(Type.String({ description: 'the page to send a visitor to; a path of this site' })),
    until: Type.Optional(Type.String({ description: 'with BANNED: when it ends' })),
    retry_after_sec: Type.Optional(Type.Integer({ description: 'with NOT_READY' })),
    challenge: Type.Optional(
      Type.Object(
        { parameters: Type.Record(Type.String(), Type.Unknown()), signature: Type.String() },
        {
          description:
            'with RATE_LIMITED and PROOF_OF_WORK_REQUIRED: a proof of work that is accepted instead of waiting',
        },
      ),
    ),
  }),
};

const RETRY_AFTER = {
  'Retry-After': { description: 'seconds until a retry can succeed', schema: { type: 'integer', minimum: 0 } },
};
/** Their errors say when to retry. */
const WITH_RETRY: readonly number[] = [429, 503];

export const errorExamples = Object.fromEntries(
  codes.map((code) => {
    const { message } = errorKinds[code];
    return [code, { summary: message, value: { error: { code, message, trace_id: 'Zr3kq9X2mB1c' }, message } }];
  }),
);

export interface ErrorResponse {
  /** The same codes have the same name. */
  name: string;
  status: number;
  response: {
    description: string;
    headers?: typeof RETRY_AFTER;
    content: { 'application/json': { schema: object; examples: Record<string, { $ref: string }> } };
  };
}

/** One response per status. */
export function toErrorResponses(given: readonly ErrorCode[]): ErrorResponse[] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of given) {
    const { status } = errorKinds[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].map(([status, ofStatus]) => ({
    name: ofStatus.join('.'),
    status,
    response: {
      description: `${STATUS_CODES[status]}: ${ofStatus.join(', ')}`,
      ...(WITH_RETRY.includes(status) ? { headers: RETRY_AFTER } : {}),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/ErrorBody' },
          examples: Object.fromEntries(ofStatus.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
        },
      },
    },
  }));
}
