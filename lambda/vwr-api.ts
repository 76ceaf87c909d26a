/** AWS Lambda behind API Gateway: numbers before the site (assign, check, status and the page). */
import { buildTier1App } from '../src/compose/tier1-app.ts';
import { answerEvent, type HttpAnswer, type HttpEvent } from './http-event.ts';
import { log, openTier1, readConfig } from './tier1-only.ts';

const config = readConfig();
const app = buildTier1App(config, openTier1(config), log);

export const handler = (event: HttpEvent): Promise<HttpAnswer> => answerEvent(app, event);
