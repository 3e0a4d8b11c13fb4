// Accounts: connections with providers, stored sealed, refreshed and revoked.

export type { GuardOptions } from "@holdpoint/fetching/internal"
export { apiLimits, createGuardedFetch, fetchWithinOrigin, metadataLimits } from "@holdpoint/fetching/internal"
export type {
  Account,
  AccountCredentials,
  ApiKeyProvider,
  BasicProvider,
  ClientAuthentication,
  Connection,
  ConnectionHandle,
  Fetch,
  LoginFlowProvider,
  Need,
  OAuthProvider,
  OwnAccountRule,
  Owner,
  Provider,
} from "@holdpoint/hub/internal"
export { toOwner } from "@holdpoint/hub/internal"
export type { ConnectOptions } from "./vault/connect.ts"
export { outcomeOf } from "./vault/connection-errors.ts"
export type { ConsentOptions } from "./vault/consent/consent.ts"
export { linkedAccounts } from "./vault/linked-accounts.ts"
export type { VaultTimes } from "./vault/times.ts"
export type { Vault, VaultOptions } from "./vault/vault.ts"
export { createVault } from "./vault/vault.ts"
