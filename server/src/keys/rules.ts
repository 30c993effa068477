// How long a key that was rotated goes on working.

/** Long enough to deploy a new key everywhere: 0 to 7 days, 24 hours by default. */
export const ROTATION_OVERLAP_DEFAULT_S = 86_400
export const ROTATION_OVERLAP_MAX_S = 604_800
