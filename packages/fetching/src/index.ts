// The public entry `@holdpoint/sdk/fetching`: requests to addresses that others chose.

export type { AttemptResult, Judged, Poster, PostRequest } from "./post.ts"
export { createPoster } from "./post.ts"
