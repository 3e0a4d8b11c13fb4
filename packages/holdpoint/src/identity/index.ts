// The public entry `@holdpoint/sdk/identity`: sign-in, sessions, local mode, and who calls over HTTP.

export { createChoices } from "./choices.ts"
export type { Identity, IdentityOptions } from "./identity.ts"
export { createIdentity } from "./identity.ts"
export type { LocalIdentity, LocalIdentityOptions, ShowAddress } from "./local.ts"
export { createLocalIdentity } from "./local.ts"
export { signedInPeople } from "./people.ts"
export type { IdentityClient, IdentityProvider } from "./provider.ts"
export { defineIdentityProvider } from "./provider.ts"
export type { Session } from "./records.ts"
export type {
  Caller,
  ResourceServer,
  ResourceServerOptions,
  TokenIssuer,
} from "./resource/index.ts"
export { createResourceServer } from "./resource/index.ts"
export type { ExchangeRefusal, TokenExchange, TokenExchangeOptions } from "./token-exchange.ts"
export { createTokenExchange } from "./token-exchange.ts"
