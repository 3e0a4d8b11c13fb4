// Accounts: connections with providers, kept sealed, refreshed and given back.

export type { Account, Connection, ConnectionStatus, Owner } from "../core/connection.ts"
export { toOwner } from "../core/connection.ts"
export type {
  ApiKeyProvider,
  BasicProvider,
  ClientAuthentication,
  LoginFlowProvider,
  OAuthProvider,
  Provider,
} from "../core/provider.ts"
export type { Fetch } from "../ports/fetch.ts"
export type { Sealer } from "../ports/sealer.ts"
export { checkKeys, hasKeys, whatIsWrong } from "./canary.ts"
export type { ConnectOptions } from "./connect.ts"
export type { ConsentOptions } from "./consent/consent.ts"
export type { GuardOptions } from "./guarded-fetch.ts"
export { apiLimits, createGuardedFetch, metadataLimits } from "./guarded-fetch.ts"
export type { ConnectionHandle } from "./handle.ts"
export { changeKeyFile, createKeyFile, keyFileBeside, openKeyFile, readKeyFile } from "./key-file.ts"
export type { KeyRing } from "./key-ring.ts"
export { parseKeyRing, serializeKeyRing, withNewKey, withoutKeys } from "./key-ring.ts"
export type { UnmetNeed } from "./lost.ts"
export { outcomeOf } from "./lost.ts"
export type { Need } from "./need.ts"
export type { Disconnected } from "./revoke.ts"
export type { KeyUse, RewrapProgress, Rewrapped } from "./rewrap.ts"
export { keyStatus, rewrapAll } from "./rewrap.ts"
export { createSealer } from "./seal.ts"
export { sealStorage } from "./sealed-storage.ts"
export type { Vault, VaultOptions } from "./vault.ts"
export { createVault } from "./vault.ts"
