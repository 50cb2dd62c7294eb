// The library page, start here: files are taken in, jobs are followed, and what is held is shown anew when a job is over.

import { showDecisions } from "./library_decide.js";
import { showFeedback } from "./library_feedback.js";
import { refresh, showHeld } from "./library_held.js";
import { followJobs, look } from "./library_jobs.js";
import { followReaders } from "./library_readers.js";
import { takeUploads } from "./library_uploads.js";
import { followUsage } from "./library_usage.js";

followReaders();
takeUploads(look);
showHeld(look);
showDecisions();
showFeedback();
followUsage();
followJobs(() => {
  refresh();
  showDecisions();
});
