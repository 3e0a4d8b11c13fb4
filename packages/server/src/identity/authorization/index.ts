// The built-in authorization server: clients get tokens to call servers on behalf of people who sign in here.

export type { ClientKind, RegisteredClient } from "./client.ts"
export type { Consent, StandingConsent } from "./consents.ts"
export type { DocumentOptions } from "./documents.ts"
export { createAuthorizationServer } from "./load.ts"
export type { ProblemPage } from "./problem.ts"
export type { RegistrationOptions } from "./registration.ts"
export type { AuthorizationRequest, Person, Requests } from "./request.ts"
export type { Resource } from "./resources.ts"
export type { AuthorizationOptions, AuthorizationServer } from "./server.ts"
export { toFetch } from "./to-fetch.ts"
