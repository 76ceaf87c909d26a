/** Settings of how operators sign in at an identity provider. */
import { defaultRoleMap, type RoleMap, readRoleMap } from '../identity/roles/claimed-role.ts';
import { type Setting, secret, text, url, type Values } from '../platform/settings/settings.ts';

export const operatorSettings = {
  OPERATOR_ISSUER: url({
    default: undefined,
    protocols: ['https:', 'http:'],
    allowed: 'the https URL of an OpenID provider, or an http URL of this machine',
    hasCredentials: false,
    about:
      'OpenID provider at which operators sign in (docs/guides/operators.md), such as ' +
      '`https://id.example/realms/company`. Its /.well-known/openid-configuration is read on the first sign-in.',
  }),
  OPERATOR_CLIENT_ID: text({
    default: undefined,
    pattern: /^[\x21-\x7e]{1,255}$/,
    allowed: '1 to 255 printable characters',
    about: 'The client id of Fairline at the OpenID provider. Required with OPERATOR_ISSUER.',
  }),
  OPERATOR_CLIENT_SECRET: secret({
    minLength: 1,
    defaultText: 'none: a public client',
    about: 'The client secret of Fairline at the OpenID provider.',
  }),
  OPERATOR_SCOPES: text({
    default: 'openid email profile',
    pattern: /^[\x21-\x7e]+( [\x21-\x7e]+)*$/,
    allowed: 'scopes separated by spaces, openid among them',
    about: 'The scopes that Fairline asks for. Some providers need another one to send roles or groups.',
  }),
  OPERATOR_ROLE_CLAIM: text({
    default: 'roles',
    pattern: /^[\x21-\x7e]{1,200}$/,
    allowed: 'the name of a claim, or a path such as realm_access.roles',
    about: 'The claim whose values give the role of an operator. Without such a value, an invitation gives it.',
  }),
  OPERATOR_ROLES: roleMap({
    default: undefined,
    defaultText: 'fairline-viewer=viewer, fairline-operator=operator, fairline-admin=admin',
    about:
      'The role (viewer, operator, admin) that each value of OPERATOR_ROLE_CLAIM gives: `sales=operator,it=admin`.',
  }),
  OPERATOR_PROVIDER_NAME: text({
    default: undefined,
    defaultText: 'the host of OPERATOR_ISSUER',
    pattern: /^[^\p{C}]{1,40}$/u,
    allowed: '1 to 40 characters',
    about: 'Name of the provider on the button of the sign-in page.',
  }),
};

function roleMap(options: { default: undefined; defaultText: string; about: string }): Setting<RoleMap | undefined> {
  return {
    ...options,
    type: 'text',
    allowed: 'value=role pairs separated by commas; roles are viewer, operator and admin',
    parse: (value) => {
      const map = readRoleMap(value);
      if (map === undefined) throw new Error('not allowed');
      return map;
    },
  };
}

/** undefined: operators sign in with accounts and service keys only. */
export interface OperatorProviderConfig {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  scopes: string;
  role: { claim: string; map: RoleMap };
  name: string;
}

type OperatorValues = Values<typeof operatorSettings>;

export function toOperatorProvider(values: OperatorValues): OperatorProviderConfig | undefined {
  const { OPERATOR_ISSUER: issuer, OPERATOR_CLIENT_ID: clientId } = values;
  if (issuer === undefined || clientId === undefined) return undefined;
  return {
    issuer,
    clientId,
    clientSecret: values.OPERATOR_CLIENT_SECRET,
    scopes: values.OPERATOR_SCOPES!,
    role: { claim: values.OPERATOR_ROLE_CLAIM!, map: values.OPERATOR_ROLES ?? defaultRoleMap },
    name: values.OPERATOR_PROVIDER_NAME ?? new URL(issuer).host,
  };
}

export function findOperatorProblems(values: OperatorValues): string[] {
  const { OPERATOR_ISSUER: issuer, OPERATOR_CLIENT_ID: clientId, OPERATOR_SCOPES: scopes } = values;
  if (issuer === undefined) {
    return clientId === undefined ? [] : ['OPERATOR_CLIENT_ID: requires OPERATOR_ISSUER, the OpenID provider'];
  }
  const problems: string[] = [];
  if (clientId === undefined)
    problems.push('OPERATOR_ISSUER: requires OPERATOR_CLIENT_ID, the client id at the provider');
  if (!scopes!.split(' ').includes('openid')) problems.push(`OPERATOR_SCOPES=${scopes}: must contain openid`);
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'http:' && !LOCAL.includes(hostname)) {
    problems.push('OPERATOR_ISSUER: must be an https URL, because passwords and codes go there');
  }
  return problems;
}

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];
