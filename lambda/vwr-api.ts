/** AWS Lambda behind API Gateway: numbers before the site (assign, check, status and the page). */
import { buildEdgeApp } from '../src/edge-app.ts';
import { log, openEdge, readConfig } from './edge-only.ts';
import { answerEvent, type HttpAnswer, type HttpEvent } from './http-event.ts';

const config = readConfig();
const app = buildEdgeApp(config, openEdge(config), log);

export const handler = (event: HttpEvent): Promise<HttpAnswer> => answerEvent(app, event);
