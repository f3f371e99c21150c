/** The port of the desk: always the same, so that addresses of searches can be bookmarked. */
export const USUAL_PORT = 4244;
