/** TLS of a connection to a store, as its settings name it. `stem` is what those settings begin with: REDIS_TLS. */
export interface TlsFiles {
  stem: string;
  /** CA certificates, instead of the system's. */
  caFile?: string | undefined;
  /** Our own certificate and its key, if the server asks for one. */
  certFile?: string | undefined;
  keyFile?: string | undefined;
  /** The name to verify the server's certificate with, instead of the host's. */
  serverName?: string | undefined;
}
