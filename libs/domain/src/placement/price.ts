/** The older name, by which meter, plan and placement know it. */
export { wholeMachine as instancePrice } from '../prices/machine.js';
