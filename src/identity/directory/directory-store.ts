/**
 * The port to what is kept about operators and their keys: small values by kind and id. There are few of them, so a process
 * reads all of a kind at once. Every verb is atomic, also between processes.
 */
export type DirectoryKind =
  /** Service keys, by name. */
  | 'key'
  /** When a service key was last used, by name. */
  | 'use'
  /** Who may sign in by the identity provider, by email. */
  | 'invitation'
  /** Who has signed in by the identity provider. */
  | 'person';

export interface DirectoryStore {
  list(kind: DirectoryKind): Promise<DirectoryEntry[]>;
  /** False: there is one with this id; nothing changed. */
  create(kind: DirectoryKind, id: string, value: object): Promise<boolean>;
  put(kind: DirectoryKind, id: string, value: object): Promise<void>;
  /** False: there was none. */
  remove(kind: DirectoryKind, id: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface DirectoryEntry {
  id: string;
  value: unknown;
}
