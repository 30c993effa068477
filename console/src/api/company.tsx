// The chosen company for every page: its client, its environment, and what the person may do there.
import type { Environment } from '@cardstock/sdk'
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import type { Place } from './place.ts'
import { useStore } from '~/lib/store.ts'
import type { Needs } from './needs.ts'
import { choice, type Choice, findPlace, keepPlace } from './choice.ts'
import { api, type CompanyClient } from './client.ts'
import type { Me, MeCompany } from './me.ts'

export interface Workplace {
  readonly me: Me
  /** Undefined for people who work for the programme and belong to no company. */
  readonly company: MeCompany | undefined
  readonly environment: Environment
  /** The place in the address if the person does not belong to its company. Nothing of that company may be shown or asked for. */
  readonly elsewhere?: Place
  readonly client: CompanyClient
  /** Whether the person's role allows it here. The server decides; this only hides what it would refuse. */
  may(needs: Needs | undefined): boolean
}

const Context = createContext<Workplace | undefined>(undefined)

export function WorkplaceProvider({ me, children }: { me: Me; children: ReactNode }) {
  const chosen = useStore(choice)
  const { company, environment } = findPlace(me, chosen)
  const companyId = company?.id
  // Another client only for another place: with each new one, everything that follows the company begins anew.
  const client = useMemo(() => api.company(companyId ?? '', environment), [companyId, environment])
  const value = useMemo(() => makeWorkplace(me, chosen, client), [me, chosen, client])
  useEffect(() => {
    if (companyId !== undefined) keepPlace({ companyId, environment }, false)
  }, [companyId, environment])
  return <Context value={value}>{children}</Context>
}

function makeWorkplace(me: Me, chosen: Choice, client: CompanyClient): Workplace {
  const found = findPlace(me, chosen)
  const { company, environment } = found
  const granted: ReadonlySet<string> = new Set<string>(company?.permissions[environment] ?? [])
  return {
    me,
    ...found,
    client,
    may(needs) {
      if (needs === undefined) return true
      return needs === 'programme' ? me.programmeRole !== null : granted.has(needs)
    },
  }
}

export function useWorkplace(): Workplace {
  const value = useContext(Context)
  if (value === undefined) throw new Error('there is no WorkplaceProvider above this component')
  return value
}
