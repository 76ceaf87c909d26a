/** Tells a visitor who looks elsewhere that it is their turn: by sound, vibration and notification, if they asked. */
import { recall, remember } from '../../design/browser.ts';

export type Alerting = 'off' | 'sound' | 'all';

const KEY = 'fairline-alert';
const NOTES_HERTZ = [660, 880, 1_100];
const NOTE_SECONDS = 0.22;

let audio: AudioContext | undefined;

export function alerting(): Alerting {
  if (recall(KEY) === undefined) return 'off';
  return 'Notification' in window && Notification.permission === 'granted' ? 'all' : 'sound';
}

/** Called from a click: browsers allow sound, and asking for notifications, only then. */
export async function askToAlert(): Promise<void> {
  remember(KEY, 'on');
  audio ??= new AudioContext();
  await audio.resume();
  if ('Notification' in window && Notification.permission === 'default') await Notification.requestPermission();
}

/** What the device or the browser refuses is left out: the title and the page say it in any case. */
export function announce(title: string, text: string): void {
  const how = alerting();
  if (how === 'off') return;
  try {
    ring();
    navigator.vibrate?.([200, 100, 200, 100, 400]);
    if (how === 'all' && document.hidden) new Notification(title, { body: text, tag: 'fairline' });
  } catch {}
}

function ring(): void {
  audio ??= new AudioContext();
  for (const [index, hertz] of NOTES_HERTZ.entries()) {
    const start = audio.currentTime + index * NOTE_SECONDS;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.2, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + NOTE_SECONDS);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + NOTE_SECONDS);
  }
}
