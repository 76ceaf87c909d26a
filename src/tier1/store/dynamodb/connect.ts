/** Creates the DynamoDB client. Region and credentials come from the usual AWS environment. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

const MOST_ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 3_000;
/** Positions of one batch are written in parallel. */
const MOST_SOCKETS = 100;

/** `endpoint`: a local DynamoDB, which accepts any credentials. */
export function createDynamoDbClient(endpoint?: string): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: MOST_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: MOST_SOCKETS },
      httpsAgent: { maxSockets: MOST_SOCKETS },
    },
    ...(endpoint === undefined
      ? {}
      : { endpoint, region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }),
  });
}
