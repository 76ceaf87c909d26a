/** The formats of records. Separate from what converts them, because the configuration of every process loads this. */
export const recordsFormats = ['nested', 'flat'] as const;
export type RecordsFormat = (typeof recordsFormats)[number];
