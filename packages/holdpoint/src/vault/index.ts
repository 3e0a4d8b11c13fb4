// Accounts: connections with providers, stored sealed, refreshed and revoked.

export type { Account, Connection, Owner } from "../core/connection.ts"
export { toOwner } from "../core/connection.ts"
export type {
  ApiKeyProvider,
  BasicProvider,
  ClientAuthentication,
  LoginFlowProvider,
  OAuthProvider,
  OwnAccountRule,
  Provider,
} from "../core/provider.ts"
export type { GuardOptions } from "../fetching/guarded-fetch.ts"
export { apiLimits, createGuardedFetch, metadataLimits } from "../fetching/guarded-fetch.ts"
export { fetchWithinOrigin } from "../fetching/within-origin.ts"
export type { Fetch } from "../ports/fetch.ts"
export type { ConnectOptions } from "./connect.ts"
export { outcomeOf } from "./connection-errors.ts"
export type { ConsentOptions } from "./consent/consent.ts"
export type { AccountCredentials } from "./credentials.ts"
export type { ConnectionHandle } from "./handle.ts"
export { linkedAccounts } from "./linked-accounts.ts"
export type { Need } from "./need.ts"
export type { VaultTimes } from "./times.ts"
export type { Vault, VaultOptions } from "./vault.ts"
export { createVault } from "./vault.ts"
