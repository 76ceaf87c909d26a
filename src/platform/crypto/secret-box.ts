/** Encrypts short secrets at rest (AES-256-GCM). A sealed text opens only with the same key and the same context. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export interface SecretBox {
  /** `context`: what the secret belongs to, so that a sealed text cannot be moved to another row. */
  seal(text: string, context: string): string;
  /** undefined: another key or context, or not sealed by us. */
  open(sealed: string, context: string): string | undefined;
}

const ALGORITHM = 'aes-256-gcm';
const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** `key`: 32 bytes; asked for on use. */
export function createSecretBox(key: () => Buffer): SecretBox {
  return {
    seal(text, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, key(), iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return [VERSION, ...[iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
    },
    open(sealed, context) {
      const [version, iv = '', text = '', tag = ''] = sealed.split('.');
      if (version !== VERSION) return undefined;
      try {
        const decipher = createDecipheriv(ALGORITHM, key(), Buffer.from(iv, 'base64url'), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(Buffer.from(context)).setAuthTag(Buffer.from(tag, 'base64url'));
        return decipher.update(text, 'base64url', 'utf8') + decipher.final('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
