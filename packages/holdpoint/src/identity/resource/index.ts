// What others use of the resource server; public as a part of `@holdpoint/sdk/identity`.

export type { Caller } from "./caller.ts"
export type { ByIntrospection, ByJwt, ByKeys, TokenIssuer } from "./issuer.ts"
export type { ResourceServerOptions } from "./options.ts"
export type { ResourceServer } from "./server.ts"
export { createResourceServer } from "./server.ts"
