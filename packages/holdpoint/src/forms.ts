// @holdpoint/sdk/forms: for programs that show questions themselves. Imports `core` and `secrets` alone, so that it runs in
// a browser.

export type { JsonSchema, StandardJsonSchema } from "./core/compile.ts"
export { compile } from "./core/compile.ts"
export type { Abilities, Degraded, Revision } from "./core/degrade.ts"
export { degrade } from "./core/degrade.ts"
export { toOutcome } from "./core/elicitation.ts"
export type { Field, Kind, Option } from "./core/form.ts"
export { kindOf, optionsOf, withDefaults } from "./core/form.ts"
export { nearest } from "./core/nearest.ts"
export { displayHost } from "./core/url.ts"
export type { Validation } from "./core/validate.ts"
export { validate } from "./core/validate.ts"
export { checkUrl, findSecrets } from "./secrets/rule.ts"
