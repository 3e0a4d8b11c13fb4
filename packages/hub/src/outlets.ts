// @holdpoint/hub/outlets: for authors of outlets whose prompts outlive the process, and the directory of people's
// addresses. `@holdpoint/testing` has the contract that an outlet must meet.

export type { Receipt } from "./core/delivery.ts"
export { countApprovals, hasApproved } from "./core/votes.ts"
export { elsewhere } from "./hub/deliveries/elsewhere.ts"
export type { KnownPerson } from "./hub/directory.ts"
export { createDirectory, knownPeople } from "./hub/directory.ts"
export type { Directory, DirectorySource, Reached } from "./ports/directory.ts"
export type { Delivered, LastingOutlet, Outlet, Posted, Prompt } from "./ports/outlet.ts"
