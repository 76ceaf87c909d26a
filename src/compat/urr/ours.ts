/** Fairline's own endpoints, asked for a translation: their answers as far as clients of URR need them. */
import {
  type Answer,
  type Ask,
  type ForeignRequest,
  isSuccess,
  type Method,
  type Translation,
} from '../../http/translation.ts';

export interface OurItems {
  seats: { seatId: string; section: string; row: number; number: number; price: number }[];
  tickets: { typeId: string; name: string; quantity: number; price: number }[];
}

export interface OurReservation extends OurItems {
  reservationId: string;
  eventId: string;
  status: 'held' | 'confirmed' | 'expired' | 'cancelled';
  amount: number;
  createdAt: string;
  holdEndsAt?: string;
  confirmedAt?: string;
}

export interface OurPayment {
  orderId: string;
  paymentKey: string;
  paymentType: string;
  referenceId: string;
  reservationId?: string;
  amount: number;
  status: string;
  method?: string;
  createdAt: string;
  clientKey?: string;
}

export interface OurWho {
  userId: string;
  kind: 'user' | 'guest';
  operatorRole?: string;
}

/** Each verb resolves with the body of a success. A refusal ends the translation and is passed on. */
export interface Ours {
  get<T>(path: string): Promise<T>;
  /** undefined if it is refused, for what an answer can do without. */
  find<T>(path: string): Promise<T | undefined>;
  post<T>(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<T>;
  put<T>(path: string, body: unknown): Promise<T>;
}

export function translate(
  method: Method,
  path: string,
  answer: (request: ForeignRequest, ours: Ours) => Promise<Answer>,
): Translation {
  return {
    method,
    path,
    async answer(request, ask) {
      try {
        return await answer(request, createOurs(ask));
      } catch (error) {
        if (error instanceof Refusal) return error.answer;
        throw error;
      }
    },
  };
}

export class Refusal extends Error {
  readonly answer: Answer;

  /** URR's pages render `message`, and fail on an `error` that is no text. */
  constructor(answer: Answer) {
    super('refused');
    const { error, ...body } = toFields(answer.body);
    const message = body.message ?? toFields(error).message ?? 'The request was refused.';
    this.answer = { ...answer, body: { ...body, error, message } };
  }

  /** The code of Fairline's error. */
  get code(): unknown {
    return toFields(toFields(this.answer.body).error).code;
  }
}

export function refuse(status: number, code: string, message: string): Refusal {
  return new Refusal({ status, headers: {}, body: { error: { code, message } } });
}

/** The fields of a JSON object; of anything else none. */
export function toFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function createOurs(ask: Ask): Ours {
  async function request<T>(method: Method, path: string, extra: Parameters<Ask>[2] = {}): Promise<T> {
    const answer = await ask(method, path, extra);
    if (!isSuccess(answer)) throw new Refusal(answer);
    return answer.body as T;
  }
  return {
    get: (path) => request('GET', path),
    async find<T>(path: string) {
      const answer = await ask('GET', path);
      return isSuccess(answer) ? (answer.body as T) : undefined;
    },
    post: (path, body, headers = {}) => request('POST', path, { ...(body === undefined ? {} : { body }), headers }),
    put: (path, body) => request('PUT', path, { body }),
  };
}
