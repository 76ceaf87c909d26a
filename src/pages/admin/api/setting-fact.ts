/** What is known of a setting of a room: how it is edited and which values are allowed. */
export type SettingFact = ChoiceFact | TimeFact | NumberFact;

export interface ChoiceFact {
  name: string;
  kind: 'choice';
  /** As text, `true` and `false` too. */
  options: string[];
}
export interface TimeFact {
  name: string;
  kind: 'time';
}
export interface NumberFact {
  name: string;
  /** A duration is kept in ms and edited in seconds. */
  kind: 'number' | 'duration';
  isWhole: boolean;
  /** Whether `min` itself is not allowed. */
  isAbove: boolean;
  min: number;
  max: number;
}

export type SettingValue = string | number | boolean | null;
