// The public entry `@holdpoint/email`: notifies people of questions by e-mail, through any SMTP server.

export { readBounce } from "./bounce.ts"
export type { EmailOptions } from "./outlet.ts"
export { email } from "./part.ts"
