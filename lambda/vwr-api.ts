/** Tier 1 (assign, check, status, page) as an AWS Lambda function behind API Gateway. */
import { buildTier1App } from '../src/compose/tier1-app.ts';
import { answerEvent, type HttpAnswer, type HttpEvent } from './http-event.ts';
import { log, openTier1, readConfig } from './tier1-only.ts';

const config = readConfig();
const app = buildTier1App(config, await openTier1(config), log);

export const handler = (event: HttpEvent): Promise<HttpAnswer> => answerEvent(app, event);
