// What an issuer says of itself from minute to minute: what waits for somebody, how far it has read, and the sums that an operator watches.
import { type Static, Type } from 'typebox'
import { Amount, field } from '../../lib/wire.ts'
import { Instant, Usdt } from './protocol.ts'

export const STATE_PATH = '/v1/state'

const Text = Type.String({ minLength: 1, maxLength: 500 })
const Count = Type.Integer({ minimum: 0 })
const Signed = Type.String({ pattern: '^-?\\d{1,12}\\.\\d{2}$' })
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const CardsState = Type.Object(
  {
    provider: field(Text, 'The provider, for people.'),
    cardMode: field(Type.Enum(['balance', 'limit']), 'What the money of a card is at the provider.'),
    requestsOpen: field(Count, 'Requests whose outcome is not certain yet.'),
    requestsWaiting: field(Count, 'How many of them wait for a person.'),
    waitingSince: orNull(Instant, 'Since when the oldest of them waits.'),
    eventsReadAt: orNull(Instant, "When the provider's events were last read."),
    lastEventAt: orNull(Instant, 'The time of the newest event.'),
    eventsOfUnknownCards: field(Count, 'Events about cards that this issuer does not know.'),
    owed: field(Signed, 'What is on all cards by the books of the issuer, in US dollars.'),
    float: orNull(
      Amount,
      'What is left at the provider to pay for cards, in US dollars. Null if the provider does not say.',
    ),
    floatReadAt: orNull(Instant, 'When that was read.'),
  },
  { title: 'CardsState', description: 'How the cards stand.' },
)
const NodeState = Type.Object(
  {
    name: field(Text, 'The address of the node, without a key.'),
    solidHead: orNull(Count, 'The newest solidified block that it has named.'),
    lastError: orNull(Text, 'Why it could last not be used.'),
  },
  { title: 'NodeState', description: 'A node of the chain.' },
)
const ChainState = Type.Object(
  {
    network: field(Text, 'The network.'),
    isCrediting: field(
      Type.Boolean(),
      'Whether payments are credited. False while it waits for a node or has stopped.',
    ),
    message: field(Text, 'What it does, in one sentence.'),
    height: orNull(Count, 'The last block that was read.'),
    blockTime: orNull(Instant, 'Its time.'),
    lag: orNull(Count, 'How many solidified blocks are still to be read.'),
    agreement: field(Type.Enum(['one_node', 'agree', 'disagree', 'unknown']), 'Whether the nodes agree.'),
    nodes: field(Type.Array(NodeState), 'The nodes.'),
    transfersOpen: field(Count, 'Transfers that belong to no invoice and wait for a decision.'),
    received: field(Usdt, 'USDT that is on the addresses of the issuer: received and not moved away.'),
  },
  { title: 'ChainState', description: 'How the deposits stand.' },
)
export const IssuerState = Type.Object(
  {
    cards: orNull(CardsState, 'Null if this issuer keeps no cards at a provider.'),
    deposits: orNull(ChainState, 'Null if this issuer watches no chain.'),
    eventsWaiting: field(Count, 'Events that the server has not accepted yet.'),
    eventsRefused: field(Count, 'Events that the server has refused for good, and that are not sent any more.'),
  },
  { title: 'IssuerState', description: 'How the issuer stands at this moment.' },
)
export type IssuerState = Static<typeof IssuerState>
export type CardsState = Static<typeof CardsState>
export type ChainState = Static<typeof ChainState>
