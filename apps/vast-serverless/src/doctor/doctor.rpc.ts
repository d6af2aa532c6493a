import { type DoctorAnswer, subjects } from '@davit/contracts';
import { Controller, Inject } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { DOCTOR_PARTS } from './tokens.js';
import { type DoctorParts, examineVast } from './permissions.js';

/** What `davit doctor` asks of this service. */
@Controller()
export class DoctorRpc {
  constructor(@Inject(DOCTOR_PARTS) private readonly parts: DoctorParts) {}

  @MessagePattern(subjects.rpc('vast-serverless', 'doctor'))
  async doctor(): Promise<DoctorAnswer> {
    return { checks: [...(await examineVast(this.parts))] };
  }
}
