/** The positions table: one row per event, activation and device, removed by DynamoDB's TTL. */
import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { number, positionKey, type Row, text } from './rows.ts';

export interface Owner {
  eventId: string;
  activation: string;
  device: string;
}

const KEYS_PER_READ = 100;

export class PositionsTable {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #placeTtlMs: number;

  constructor(client: DynamoDBClient, table: string, placeTtlMs: number) {
    this.#client = client;
    this.#table = table;
    this.#placeTtlMs = placeTtlMs;
  }

  async find(eventId: string, activation: string, devices: readonly string[]): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (let from = 0; from < devices.length; from += KEYS_PER_READ) {
      const some = devices.slice(from, from + KEYS_PER_READ);
      let keys: Row[] | undefined = some.map((device) => positionKey(eventId, activation, device));
      while (keys !== undefined && keys.length > 0) keys = await this.#read(keys, found);
    }
    return found;
  }

  /** Assigns the position to the device; returns the position it already had, if any. */
  async claim({ eventId, activation, device }: Owner, position: number, now: number): Promise<number> {
    try {
      await this.#client.send(
        new PutItemCommand({
          TableName: this.#table,
          Item: {
            ...positionKey(eventId, activation, device),
            position: number(position),
            userId: text(device),
            createdAt: number(now),
            ttl: number(Math.ceil((now + this.#placeTtlMs) / 1000)),
          },
          ConditionExpression: 'attribute_not_exists(requestId)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return position;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return Number(error.Item!.position!.N);
      throw error;
    }
  }

  async release({ eventId, activation, device }: Owner, position: number): Promise<void> {
    try {
      await this.#client.send(
        new DeleteItemCommand({
          TableName: this.#table,
          Key: positionKey(eventId, activation, device),
          ConditionExpression: '#position = :position',
          ExpressionAttributeNames: { '#position': 'position' },
          ExpressionAttributeValues: { ':position': number(position) },
        }),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }

  /** Adds what was found; returns the keys that DynamoDB left unprocessed. */
  async #read(keys: Row[], found: Map<string, number>): Promise<Row[] | undefined> {
    const wanted = { [this.#table]: { Keys: keys, ConsistentRead: true } };
    const { Responses, UnprocessedKeys } = await this.#client.send(new BatchGetItemCommand({ RequestItems: wanted }));
    for (const row of Responses?.[this.#table] ?? []) found.set(row.userId!.S!, Number(row.position!.N));
    return UnprocessedKeys?.[this.#table]?.Keys;
  }
}
