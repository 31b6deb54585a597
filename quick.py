from benchmarks.calibration_alarms import *
import sys
for kind in ("16 people who rate otherwise","ratings of 16 people"):
    for p in (False, True):
        for h,d in ((1,0),(1,1)):
            c=Count()
            for s in range(60): c=c.with_one(*measured(Cell(20,kind,"ordinal",p,h,d),"ratings",s))
            print(kind,"people" if p else "pairs",h,d,c,flush=True)
