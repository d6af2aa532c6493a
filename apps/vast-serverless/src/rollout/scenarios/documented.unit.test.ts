import { scenariosHold } from '../testing/scenarios-hold.js';

scenariosHold('as documented');
