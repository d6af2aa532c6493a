import { scenariosHold } from '../testing/scenarios-hold.js';

scenariosHold('otherwise still');
