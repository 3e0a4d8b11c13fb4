// The public entry `@holdpoint/sdk/identity`: sign-in, sessions, local mode, and who calls over HTTP.

export type { Choices } from "./choices.ts"
export { createChoices } from "./choices.ts"
export type { Identity, IdentityOptions, IdentityTimes } from "./identity.ts"
export { createIdentity, defaultIdentityTimes } from "./identity.ts"
export type { Claim, LocalIdentity, LocalIdentityOptions } from "./local.ts"
export { createLocalIdentity } from "./local.ts"
export { signedInPeople } from "./people.ts"
export type { IdentityClient, IdentityProvider } from "./provider.ts"
export { defineIdentityProvider } from "./provider.ts"
export type { SignInCode } from "./reasons.ts"
export { signInWords } from "./reasons.ts"
export type { Session } from "./records.ts"
export type {
  ByIntrospection,
  ByJwt,
  ByKeys,
  Caller,
  ResourceServer,
  ResourceServerOptions,
  TokenIssuer,
} from "./resource/index.ts"
export { createResourceServer } from "./resource/index.ts"
export type { BeginSignIn, FinishSignIn, SignInBegun, SignInFinished } from "./sign-in.ts"
export type { Exchanged, ExchangeRefusal, TokenExchange, TokenExchangeOptions } from "./token-exchange.ts"
export { createTokenExchange } from "./token-exchange.ts"
