// The public entry `@holdpoint/fetching`: requests to addresses that others chose.

export type { AttemptResult, Judged, Poster, PostRequest } from "./post.ts"
export { createPoster } from "./post.ts"
