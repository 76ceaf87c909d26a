/** The typed configuration. Each area's type is in its *-settings.ts file, next to the settings it is read from. */
import type { AccountsConfig } from './account-settings.ts';
import type { GateConfig } from './gate-settings.ts';
import type { Limits } from './limit-settings.ts';
import type { LineConfig } from './line-settings.ts';
import type { MailConfig } from './mail-settings.ts';
import type { NoticesConfig } from './notice-settings.ts';
import type { OperatorProviderConfig } from './operator-settings.ts';
import type { PagesConfig } from './page-settings.ts';
import type { PostersConfig } from './poster-settings.ts';
import type { RecordsConfig } from './records-settings.ts';
import type { SecretsConfig } from './secret-settings.ts';
import type { ServerConfig } from './server-settings.ts';
import type { ShopConfig } from './shop-settings.ts';
import type { RedisConfig } from './store-settings.ts';
import type { Tier1Config } from './tier1-settings.ts';
import type { TokensConfig } from './token-settings.ts';
import type { TracingConfig } from './tracing-settings.ts';
import type { UsersConfig } from './user-settings.ts';

export interface Config extends ServerConfig {
  /** undefined: embedded stores, everything in one process. */
  redis: RedisConfig | undefined;
  line: LineConfig;
  tier1: Tier1Config;
  secrets: SecretsConfig;
  tokens: TokensConfig;
  accounts: AccountsConfig;
  users: UsersConfig;
  /** undefined: operators do not sign in at an identity provider. */
  operatorProvider: OperatorProviderConfig | undefined;
  mail: MailConfig;
  limits: Limits;
  gate: GateConfig;
  /** undefined: this instance sells nothing. */
  shop: ShopConfig | undefined;
  records: RecordsConfig;
  notices: NoticesConfig;
  pages: PagesConfig;
  posters: PostersConfig;
  /** undefined: tracing is off. */
  tracing: TracingConfig | undefined;
}
