/** The counters table: one row per event, changed only by conditional updates. */
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Counters } from '../../model/counters.ts';
import { beginsAt, type StateMove } from '../../rules/move.ts';
import { ACTIVE_INDEX, number, type Row, text, toCounters } from './rows.ts';

type Change = Pick<UpdateItemCommandInput, 'UpdateExpression' | 'ConditionExpression'> & { values: Row };

export class CountersTable {
  readonly #client: DynamoDBClient;
  readonly #table: string;

  constructor(client: DynamoDBClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async find(eventId: string): Promise<Counters | undefined> {
    const Key = { eventId: text(eventId) };
    const { Item } = await this.#client.send(new GetItemCommand({ TableName: this.#table, Key, ConsistentRead: true }));
    return Item === undefined ? undefined : toCounters(Item);
  }

  async listActive(): Promise<string[]> {
    const eventIds: string[] = [];
    let from: Row | undefined;
    do {
      const page = await this.#client.send(
        new QueryCommand({
          TableName: this.#table,
          IndexName: ACTIVE_INDEX,
          KeyConditionExpression: 'active = :yes',
          ExpressionAttributeValues: { ':yes': text('yes') },
          ExclusiveStartKey: from,
        }),
      );
      for (const row of page.Items ?? []) eventIds.push(row.eventId!.S!);
      from = page.LastEvaluatedKey;
    } while (from !== undefined);
    return eventIds;
  }

  /** Takes the next `count` positions of this activation; undefined if it is not active. */
  take(eventId: string, activation: string, count: number): Promise<Counters | undefined> {
    return this.#change(eventId, {
      UpdateExpression: 'ADD nextPosition :count SET updatedAt = :now',
      ConditionExpression: 'isActive = :true AND activation = :activation',
      values: { ':count': number(count), ':true': { BOOL: true }, ':activation': text(activation) },
    });
  }

  /** Stores the result of a rule; undefined if the row has changed since `before` was read. */
  replaceServing(before: Counters, after: Counters): Promise<Counters | undefined> {
    return this.#change(before.eventId, {
      UpdateExpression: 'SET servingCounter = :serving, advancedAt = :advancedAt, updatedAt = :now',
      ConditionExpression: 'activation = :activation AND servingCounter = :before AND advancedAt = :advancedBefore',
      values: {
        ':serving': number(after.servingCounter),
        ':advancedAt': number(after.advancedAt),
        ':activation': text(before.activation),
        ':before': number(before.servingCounter),
        ':advancedBefore': number(before.advancedAt),
      },
    });
  }

  async move(eventId: string, step: StateMove, moved: Counters): Promise<boolean> {
    const listed = step.to === 'inactive' ? 'REMOVE active' : ', active = :yes';
    const counts = step.to === 'opening' || step.to === 'active' ? COUNTS : '';
    const states = beginsAt(step).map((state, i) => [`:state${i}`, text(state)] as const);
    const isInState = `activation = :before AND #state IN (${states.map(([name]) => name).join(', ')})`;
    const isFirst = step.to === 'opening' && step.after === undefined;
    const before = step.to === 'opening' ? step.after : step.activation;
    const changed = await this.#change(eventId, {
      UpdateExpression: `SET #state = :state, activation = :activation, isActive = :isActive, updatedAt = :now${counts} ${listed}`,
      ConditionExpression: isFirst ? 'attribute_not_exists(eventId)' : isInState,
      values: {
        ':state': text(step.to),
        ':activation': text(step.activation),
        ':isActive': { BOOL: step.to === 'active' },
        ...(step.to === 'inactive' ? {} : { ':yes': text('yes') }),
        ...(isFirst ? {} : { ':before': text(before!), ...Object.fromEntries(states) }),
        ...(counts === '' ? {} : toCountValues(moved)),
      },
    });
    return changed !== undefined;
  }

  /** The row after the change; undefined if the condition failed. */
  async #change(eventId: string, { UpdateExpression, ConditionExpression, values }: Change) {
    try {
      const { Attributes } = await this.#client.send(
        new UpdateItemCommand({
          TableName: this.#table,
          Key: { eventId: text(eventId) },
          UpdateExpression,
          ConditionExpression,
          ExpressionAttributeValues: { ...values, ':now': number(Date.now()) },
          ...(UpdateExpression!.includes('#state') ? { ExpressionAttributeNames: { '#state': 'state' } } : {}),
          ReturnValues: 'ALL_NEW',
        }),
      );
      return toCounters(Attributes!);
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw error;
    }
  }
}

const COUNTS = ', nextPosition = :next, servingCounter = :serving, advancedAt = :advancedAt';

function toCountValues({ nextPosition, servingCounter, advancedAt }: Counters): Row {
  return { ':next': number(nextPosition), ':serving': number(servingCounter), ':advancedAt': number(advancedAt) };
}
