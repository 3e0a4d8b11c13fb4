// Accounts: connections with providers, stored sealed, refreshed and revoked.

export type {
  Account,
  ApiKeyProvider,
  BasicProvider,
  ClientAuthentication,
  Connection,
  Fetch,
  LoginFlowProvider,
  OAuthProvider,
  OwnAccountRule,
  Owner,
  Provider,
} from "@holdpoint/hub/internal"
export { toOwner } from "@holdpoint/hub/internal"
export type { GuardOptions } from "../fetching/guarded-fetch.ts"
export { apiLimits, createGuardedFetch, metadataLimits } from "../fetching/guarded-fetch.ts"
export { fetchWithinOrigin } from "../fetching/within-origin.ts"
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
