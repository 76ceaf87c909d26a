/** What a failed TLS handshake means, and which setting to change. */

interface Advice {
  pattern: RegExp;
  /** `stem`: what the settings of the store begin with, such as REDIS_TLS. */
  explain: (stem: string) => string;
}

/** By the error's code, or by its message where the driver passes on no code. */
const ADVICE: readonly Advice[] = [
  {
    pattern: /ERR_TLS_CERT_ALTNAME_INVALID|Hostname\/IP does not match/,
    explain: (stem) =>
      `its certificate is for another name: connect by a name in the certificate, or set ${stem}_SERVER_NAME to one`,
  },
  {
    pattern: /CERT_HAS_EXPIRED|certificate has expired/,
    explain: () => 'its certificate has expired: renew it, and check the clock of this machine',
  },
  {
    pattern: /CERT_NOT_YET_VALID|certificate is not yet valid/,
    explain: () => 'its certificate is not valid yet: check the clock of this machine',
  },
  {
    pattern:
      /SELF_SIGNED_CERT|DEPTH_ZERO|UNABLE_TO_(?:VERIFY|GET)|CERT_SIGNATURE|self-signed certificate|unable to (?:verify|get)/,
    explain: (stem) =>
      `its certificate is signed by no CA that is trusted here: set ${stem}_CA_FILE to the CA certificate of the server`,
  },
  {
    pattern: /CERTIFICATE_REQUIRED|certificate required/i,
    explain: (stem) => `it requires a client certificate: set ${stem}_CERT_FILE and ${stem}_KEY_FILE`,
  },
  {
    pattern:
      /ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|UNSUPPORTED_CERTIFICATE|CERTIFICATE_EXPIRED)|alert (?:unknown ca|bad certificate|certificate unknown)/i,
    explain: (stem) =>
      `it refuses our client certificate: check ${stem}_CERT_FILE, it must be signed by a CA of the server`,
  },
  {
    pattern: /ALERT_HANDSHAKE_FAILURE|ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|handshake failure/i,
    explain: (stem) =>
      `TLS handshake refused: it may require a client certificate (${stem}_CERT_FILE), or allow no TLS 1.2 or later`,
  },
];

/** undefined: no error of certificates. */
export function explainTlsError(error: Error, stem: string): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  const text = `${code ?? ''} ${error.message}`;
  return ADVICE.find(({ pattern }) => pattern.test(text))?.explain(stem);
}

/** A TLS client met a server that does not speak TLS, or stopped in the handshake. */
export function isNotTls(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|BAD_RECORD_TYPE|INVALID_ALERT|before secure TLS connection/i.test(
    `${code ?? ''} ${error.message}`,
  );
}
