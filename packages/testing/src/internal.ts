// @holdpoint/testing/internal: what the other packages of Holdpoint need of this one, of the same version. Not for other programs:
// these names may change in any release.

export { sealedWith } from "./contract/record-samples.ts"
export { alice, minute, start } from "./contract/samples.ts"
