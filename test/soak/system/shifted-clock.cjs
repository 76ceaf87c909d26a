/**
 * Preloaded into a process of the program: shifts its wall clock by the milliseconds in CLOCK_OFFSET_FILE, read at the start and at
 * SIGUSR2. Timers and the monotonic clock go on undisturbed, as when an operator or NTP steps a machine's clock.
 */
const { readFileSync } = require('node:fs');

const RealDate = Date;
const realNow = Date.now;
let offset = 0;

function read() {
  try {
    offset = Number(readFileSync(process.env.CLOCK_OFFSET_FILE, 'utf8')) || 0;
  } catch {
    offset = 0;
  }
}

const now = () => realNow() + offset;

read();
process.on('SIGUSR2', read);
RealDate.now = now;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
});
