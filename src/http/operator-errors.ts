/** The errors of signing in as an operator, of roles and of service keys: a part of the error table. */
export const operatorErrors = {
  ROLE_REQUIRED: {
    status: 403,
    message: 'Your role may not do this. Ask an admin for another role.',
    retryable: false,
  },
  NO_OPERATOR_ROLE: {
    status: 403,
    message: 'You are signed in at the identity provider, but have no role here. Ask an admin for a role.',
    retryable: false,
  },
  PROVIDER_REFUSED: {
    status: 403,
    message: 'The identity provider refused the sign-in, or it took too long. Sign in again.',
    retryable: false,
  },
  PROVIDER_UNAVAILABLE: {
    status: 503,
    message:
      'The identity provider cannot be reached. Try again in a moment, or sign in with an account or a service key.',
    retryable: true,
  },
  NO_IDENTITY_PROVIDER: {
    status: 404,
    message: 'Operators do not sign in at an identity provider here. Set OPERATOR_ISSUER to configure one.',
    retryable: false,
  },
  OPERATOR_NOT_FOUND: {
    status: 404,
    message: 'There is no such operator or invitation. GET /api/admin/operators lists them.',
    retryable: false,
  },
  SERVICE_KEY_NOT_FOUND: {
    status: 404,
    message: 'There is no service key with this name. GET /api/admin/service-keys lists them.',
    retryable: false,
  },
  SERVICE_KEY_EXISTS: {
    status: 409,
    message: 'A service key has this name, or the name is reserved. Choose another one, or revoke that key first.',
    retryable: false,
  },
  OPERATOR_LIST_FULL: {
    status: 409,
    message: 'The list is full. Remove entries that are no longer needed.',
    retryable: false,
  },
} as const;
