/** What the doctor looks with. */
export const DOCTOR_PARTS = Symbol('davit.vast.doctor-parts');
