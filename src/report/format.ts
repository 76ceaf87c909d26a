/** Formats numbers and times for reports. */
import type { Language } from './words.ts';

export function formatCount(value: number, language: Language): string {
  return Math.round(value).toLocaleString(language === 'ko' ? 'ko-KR' : 'en-US');
}

export function formatShare(share: number): string {
  const percent = share * 100;
  return `${percent >= 10 || percent === 0 ? Math.round(percent) : percent.toFixed(1)} %`;
}

/** At most two units, rounded more for longer durations. */
export function formatDuration(ms: number, language: Language): string {
  const unit =
    language === 'ko'
      ? { ms: '밀리초', s: '초', min: '분', h: '시간', space: '' }
      : { ms: 'ms', s: 's', min: 'min', h: 'h', space: ' ' };
  const join = (value: number | string, name: string) => `${value}${unit.space}${name}`;
  if (ms < 1_000) return join(Math.round(ms), unit.ms);
  const seconds = Math.round(ms / 1000);
  if (seconds < 10) return join((ms / 1000).toFixed(1), unit.s);
  if (seconds < 60) return join(seconds, unit.s);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10)
    return seconds % 60 === 0 ? join(minutes, unit.min) : `${join(minutes, unit.min)} ${join(seconds % 60, unit.s)}`;
  const wholeMinutes = Math.round(seconds / 60);
  if (wholeMinutes < 120) return join(wholeMinutes, unit.min);
  const rest = wholeMinutes % 60;
  return rest === 0
    ? join(wholeMinutes / 60, unit.h)
    : `${join(Math.floor(wholeMinutes / 60), unit.h)} ${join(rest, unit.min)}`;
}

/** Minutes and seconds since the start: 1:05, 62:30. */
export function formatClock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
