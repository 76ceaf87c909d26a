/** Alerts a visitor when it is their turn, by sound, vibration and notification, if they turned alerts on. */
import { recall, remember } from '../design/browser.ts';

export type Alerting = 'off' | 'sound' | 'all';

const KEY = 'fairline-alert';
const NOTES_HERTZ = [660, 880, 1_100];
const NOTE_SECONDS = 0.22;

let audio: AudioContext | undefined;

export function alerting(): Alerting {
  if (recall(KEY) === undefined) return 'off';
  return 'Notification' in window && Notification.permission === 'granted' ? 'all' : 'sound';
}

/** Must be called from a click: browsers allow sound and the notification prompt only then. */
export async function enableAlerts(): Promise<void> {
  remember(KEY, 'on');
  audio ??= new AudioContext();
  await audio.resume();
  if ('Notification' in window && Notification.permission === 'default') await Notification.requestPermission();
}

/** Ignores what the device or browser refuses; the page and its title show the turn in any case. */
export function announce(title: string, text: string): void {
  const how = alerting();
  if (how === 'off') return;
  try {
    playSound();
    navigator.vibrate?.([200, 100, 200, 100, 400]);
    if (how === 'all' && document.hidden) new Notification(title, { body: text, tag: 'fairline' });
  } catch {}
}

function playSound(): void {
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
