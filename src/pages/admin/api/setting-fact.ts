/** How a room setting is edited and which values it allows. */
export type SettingFact = ChoiceFact | TimeFact | TextFact | NumberFact;

export interface ChoiceFact {
  name: string;
  kind: 'choice';
  /** As text, booleans included. */
  options: string[];
}
export interface TimeFact {
  name: string;
  kind: 'time';
}
export interface TextFact {
  name: string;
  kind: 'text';
  maxLength: number;
}
export interface NumberFact {
  name: string;
  /** A duration is stored in ms and edited in seconds. */
  kind: 'number' | 'duration';
  isWhole: boolean;
  /** Whether `min` is exclusive. */
  isAbove: boolean;
  min: number;
  max: number;
}

export type SettingValue = string | number | boolean | null;
