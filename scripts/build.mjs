import { setUp } from './set-up.mjs';

setUp();
