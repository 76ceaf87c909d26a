/** The client that the tables are asked through. Region and credentials come from where every AWS program has them. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

const MOST_ATTEMPTS = 3;
const CONNECT_WITHIN_MS = 1_000;
const ANSWER_WITHIN_MS = 3_000;
/** Positions of one batch are written down side by side. */
const MOST_SOCKETS = 100;

/** `endpoint`: another server than Amazon's, which then takes any credentials. */
export function createDynamoDbClient(endpoint?: string): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: MOST_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_WITHIN_MS,
      requestTimeout: ANSWER_WITHIN_MS,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: MOST_SOCKETS },
      httpsAgent: { maxSockets: MOST_SOCKETS },
    },
    ...(endpoint === undefined
      ? {}
      : { endpoint, region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }),
  });
}
