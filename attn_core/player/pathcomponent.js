// createPathLab as a component of the dashboard.

import { mounted } from "./mounted.js";
import { createPathLab } from "./pathlab.js";

export default mounted(createPathLab);
