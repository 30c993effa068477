// Two requests of which one has not committed a statement yet.
import { playInside } from './plays.ts'
import { testPairs } from './matrix.ts'

testPairs(playInside)
