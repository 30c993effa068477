// The people of a company, for an operator: the first owner is invited here.
import { useMemo } from 'react'
import { api } from '~/api/client.ts'
import { Invite, InvitationsPanel } from '~/features/people/invitations-panel.tsx'
import { PeoplePanel } from '~/features/people/people-panel.tsx'
import type { PeopleSource } from '~/features/people/source.ts'

export function CompanyPeople({ companyId, isOperator }: { companyId: string; isOperator: boolean }) {
  const source = useMemo(
    (): PeopleSource => ({
      name: companyId,
      roles: ['owner', 'developer', 'finance', 'viewer'],
      people: (query, options) => api.admin.people.list({ ...query, companyId }, options),
      invitations: (query, options) => api.admin.invitations.list({ ...query, companyId }, options),
      invite: (invitation) => api.admin.invitations.create({ ...invitation, companyId }),
      revokeInvitation: (id) => api.admin.invitations.revoke(id),
      changeRole: (id, role) => api.admin.people.changeRole(id, { role, companyId }),
      remove: (id) => api.admin.people.remove(id, { companyId }),
      reset: (id, options) => api.admin.people.reset(id, options),
    }),
    [companyId],
  )
  return (
    <>
      <PeoplePanel
        source={source}
        mayChange={isOperator}
        {...(isOperator ? { actions: <Invite source={source} /> } : {})}
      />
      <InvitationsPanel source={source} mayChange={isOperator} />
    </>
  )
}
