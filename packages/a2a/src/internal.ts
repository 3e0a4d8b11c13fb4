// @holdpoint/a2a/internal: what the other packages of Holdpoint need of this one, of the same version. Not for other programs:
// these names may change in any release.

export { textPart } from "./agents/message.ts"
