// All routes of people, in the order in which the documents show them.
import type { Route } from '../http/route.ts'
import type { PeopleDeps } from './deps.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { secondFactorRoutes } from './second-factor/routes.ts'
import { accountRoutes } from './sessions/routes.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { invitationRoutes } from './team/invitation-routes.ts'
import { teamRoutes } from './team/member-routes.ts'
import { timeZoneRoutes } from './time-zone.ts'

export function peopleRoutes(deps: PeopleDeps): Route[] {
  return [
    ...signInRoutes(deps),
    ...accountRoutes(deps),
    ...timeZoneRoutes(deps),
    ...secondFactorRoutes(deps),
    ...passkeyRoutes(deps),
    ...teamRoutes(deps),
    ...invitationRoutes(deps),
  ]
}
