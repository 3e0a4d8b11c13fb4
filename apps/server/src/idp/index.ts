// The identity provider that comes along with the server, for trying out.

export type { EmbeddedIdp, EmbeddedIdpOptions } from "./embedded.ts"
export { createEmbeddedIdp } from "./embedded.ts"
export type { DemoUser } from "./users.ts"
export { demoPassword, demoUsers } from "./users.ts"
